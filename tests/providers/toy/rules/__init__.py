"""The provider rules of the toy cloud."""

SUBJECTS = ("pools",)
