"""Made-up identities that stay the same from run to run: hexadecimal ids and UUIDs drawn from a resource's URN."""

from __future__ import annotations

from hashlib import blake2b


def hexadecimal(urn: str, digits: int, salt: str = "") -> str:
    """As many hexadecimal digits as asked for (64 at most), the same each time for one URN and salt."""
    return blake2b(f"{urn}\0{salt}".encode(), digest_size=32).hexdigest()[:digits]


def decimal(urn: str, digits: int, salt: str = "") -> str:
    """As many decimal digits as asked for, the first of them no zero; the same each time for one URN and salt."""
    least = 10 ** (digits - 1)
    return str(least + int(hexadecimal(urn, 64, salt), 16) % (9 * least))


def uuid(urn: str, salt: str = "") -> str:
    """A UUID of version 4's form, the same each time for one URN and salt."""
    digits = hexadecimal(urn, 32, salt)
    variant = "89ab"[int(digits[16], 16) % 4]  # RFC 9562, section 4.1
    return f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-{variant}{digits[17:20]}-{digits[20:]}"


def auto_name(urn: str, name: str) -> str:
    """The physical name that a provider gives to a resource without one: its own name and seven random digits."""
    return f"{name}-{hexadecimal(urn, 7, 'name')}"
