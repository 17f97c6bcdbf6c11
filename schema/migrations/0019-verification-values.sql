-- A new password ends all links of its person, which are found by what they stand for. The table is small.
create index user_verifications_value on user_verifications (value);
