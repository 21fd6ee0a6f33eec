-- sql/functions/series/value_loss.sql
-- tanon._value_loss: sql/private/series.sql
tanon._value_loss(([1, 2]), ([4, 6]), ([1, 2]), ([4, 6]))
