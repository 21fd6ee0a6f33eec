-- sql/functions/granularity/granule_index.sql
-- tanon._clock: sql/private/clocks.sql
-- tanon._index: sql/private/granules.sql
-- tanon._known: sql/private/granules.sql
tanon._known('tanon.granule_index', tanon._clock('tanon.granule_index', admitted, NULL), 'week',
    tanon._index(tanon._clock('tanon.granule_index', admitted, NULL), 'week'))
