"""The files door: `tanon-duck FUNCTION INPUT... -o OUTPUT`, generated from the catalog."""
