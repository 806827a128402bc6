#!/bin/sh
# Writes and reads files in each directory of TARGETS, past the memory of the node; lines are "DIRECTORY FLOOR", in MB/s,
# and 0 asks only that it ends. Exits with an error where one is slower, and names all that are.
set -u

# The columns of fio's terse form, in KiB/s: 7 is what it read, 48 what it wrote.
rate() {
  fio --minimal --group_reporting --name=check --directory="$2" --filename_format="penstock-check-$(hostname).\$jobnum" \
    --rw="$1" --bs=1M --size="${SIZE:-2G}" --numjobs=4 --iodepth=16 --ioengine=libaio --direct=1 \
    --time_based --runtime="${RUNTIME_S:-30}" >"$found" || return 1
  awk -F';' -v column="$3" '$1 == 3 { printf "%d", $column * 1024 / 1000000 }' "$found"
}

found=$(mktemp) slow=0
while read -r directory floor; do
  [ -n "$directory" ] || continue
  written=$(rate write "$directory" 48) && read=$(rate read "$directory" 7)
  ended=$?
  rm -f "$directory/penstock-check-$(hostname)".*
  if [ "$ended" -ne 0 ]; then
    echo "$directory: cannot be written and read: $(tail -n 1 "$found")"
    slow=1
    continue
  fi
  echo "$directory: $written MB/s written, $read MB/s read, at least $floor expected"
  if [ "${written:-0}" -lt "$floor" ] || [ "${read:-0}" -lt "$floor" ]; then
    slow=1
  fi
done <<EOF
$TARGETS
EOF
exit "$slow"
