"""Itemsets, the inference channels their supports open, and supports that open none."""
