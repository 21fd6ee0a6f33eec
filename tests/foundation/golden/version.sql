-- sql/functions/help/version.sql
'0.1.0'
