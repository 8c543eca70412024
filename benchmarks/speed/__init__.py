"""Speed as ratios to what people use today, on the same texts in the same run."""
