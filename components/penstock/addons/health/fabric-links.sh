#!/bin/sh
# Exits with 1 where fewer links of the fabric are up than once were: ports that nobody ever connected are no problem.
sys="${SYS:-/sys}"
most="${MOST:-/tmp/fabric-links}"

up=0
down=""
for state in "$sys"/class/infiniband/*/ports/*/state; do
    [ -e "$state" ] || continue
    read -r line <"$state"
    case "$line" in
    *ACTIVE*) up=$((up + 1)) ;;
    *)
        device="${state#"$sys"/class/infiniband/}"
        down="$down ${device%%/*}"
        ;;
    esac
done

before=0
[ -e "$most" ] && read -r before <"$most"
if [ "$up" -ge "$before" ]; then
    echo "$up" >"$most"
    echo "$up links are up"
    exit 0
fi
echo "$up of $before links are up, down:$down"
exit 1
