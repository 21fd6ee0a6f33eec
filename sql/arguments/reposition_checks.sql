--   method  late = 'any' or method <> 'paper'  'step' or 'window' where late is 'covered'
--   start   late = 'any' or start = 'stream'  'stream' where late is 'covered'
{% include "arguments/persons_checks.sql" %}
--   uid  not tanon._share_a_name(uid, [ts::varchar, sa::varchar])  a column apart from ts and sa
--   repeats  repeats = 'separate' or uid is not null  'separate' where every record is a person
