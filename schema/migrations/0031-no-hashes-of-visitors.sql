-- Made of hashes, which a sender of ids can make equal: each look-up then read the visits of all such ids.
drop index if exists visits_visitors;
