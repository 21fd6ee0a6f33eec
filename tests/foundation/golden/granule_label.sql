-- sql/functions/granularity/granule_label.sql
-- tanon._clock: sql/private/clocks.sql
-- tanon._known: sql/private/granules.sql
-- tanon._label: sql/private/granules.sql
tanon._known('tanon.granule_label', tanon._clock('tanon.granule_label', admitted, NULL), 'week',
    tanon._label(tanon._clock('tanon.granule_label', admitted, NULL), 'week'))
