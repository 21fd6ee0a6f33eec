-- sql/functions/series/pattern_loss.sql
tanon_pattern_loss(series, pr, level)
