"""The compiled core: JSON values and rule tables, nothing of the package above it."""
