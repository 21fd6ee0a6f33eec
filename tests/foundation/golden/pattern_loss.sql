-- sql/functions/series/pattern_loss.sql
tanon_pattern_loss(tanon._series('tanon.pattern_loss', series), pr, level)
