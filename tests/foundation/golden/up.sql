-- sql/functions/granularity/up.sql
-- tanon._clock: sql/private/clocks.sql
-- tanon._index: sql/private/granules.sql
-- tanon._known: sql/private/granules.sql
tanon._known('tanon.up', tanon._clock('tanon.up', admitted, NULL), 'week',
    tanon._index(tanon._clock('tanon.up', admitted, NULL), 'week'))
