-- sql/functions/granularity/granule_label.sql
tanon._known('tanon.granule_label', tanon._clock('tanon.granule_label', ts, tz), granularity,
    tanon._label(tanon._clock('tanon.granule_label', ts, tz), granularity))
