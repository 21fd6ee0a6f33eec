-- sql/functions/help/version.sql
-- tanon._version: sql/private/package.sql
tanon._version()
