-- sql/functions/granularity/up.sql
tanon._known('tanon.up', tanon._clock('tanon.up', ts, tz), granularity,
    tanon._index(tanon._clock('tanon.up', ts, tz), granularity))
