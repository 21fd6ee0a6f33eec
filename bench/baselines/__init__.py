"""Published methods the (k,P) model is compared with, written from their definitions."""
