/** What programs and colleagues write all day: commits, logs, alerts, tickets and notices, in our own words: one a line. */
export const MACHINE = `
fix off-by-one in the pager
bump the parser to 4.2.1
refactor: move the cache behind an interface
add a regression test for empty headers
docs: explain how retries back off
revert "use the new scheduler"
remove dead code from the importer
rename the flag and keep the old one as an alias
merge branch release into main
tests: make the clock injectable
typo in the changelog
drop support for the old runtime
speed up the start by loading lazily
ci: pin the runner image
handle a closed socket in the reader
warn: 14 retries left before giving up
error: connection reset by peer
info: worker 3 finished in 812 ms
debug: cache miss for key 9f3c
job nightly-backup succeeded after 4 m 12 s
job import-customers failed with exit code 1
disk usage on /var is at 91 percent
certificate expires in 12 days
health check of node 7 timed out
memory of the build agent is above its limit
deployment 5512 rolled back
queue depth above 10000 for five minutes
latency of the gateway is back to normal
new sign-in from an unknown device
your parcel was handed to the carrier
your invoice for march is available
payment of 24.90 was declined
your subscription renews on friday
someone commented on your document
anna invited you to the channel design
3 unread messages in general
the meeting at two was moved to room 4
battery low, 10 percent left
update ready to install
screenshot saved to pictures
download finished: report-final.pdf
your storage is almost full
printer is out of toner
camera 2 detected motion in the yard
the washing machine has finished
front door was left open for ten minutes
water leak sensor went offline
the vacuum is stuck under the sofa
backup of the phone completed
sync conflict in notes.txt
pull request 218 was approved
review requested on the migration branch
issue 77 was closed as duplicate
the linter found two new warnings
coverage fell from 84 to 82 percent
flaky test quarantined
stack overflow in the recursive descent
null pointer in the export dialog
segfault when the window is resized twice
the dialog shows the wrong month after midnight
crash on start when the profile folder is missing
text is cut off in the german translation
scrolling is jerky with more than a thousand rows
the icon is blurry on high resolution screens
please see the attached log for details
steps to reproduce: start the app and wait
expected a number but got undefined
works on my machine with the latest build
cannot reproduce with version 3.8
same here since the last update
could this be related to the proxy settings
we should document the wire format
the migration locks the table for too long
let us talk about the index in the retro
the vendor says the patch comes next week
the staging database was restored from the dump
i pushed a fix, could you have a look
the spec does not say what happens on overflow
a heap overflow in the image decoder allows remote code execution
versions before 2.3 are affected by a path traversal
the advisory was withdrawn because it was a duplicate
improper escaping lets an attacker inject markup
user 4711 logged out
session expired
get /index.html 200 5123
select count(*) from orders where shipped is null
for (let i = 0; i < rows.length; i++) total += rows[i]
npm warn deprecated a package that nobody uses
warning: unused variable in line 88
undefined reference to main
traceback (most recent call last)
retrying in 30 seconds
listening on port 8080
shutting down gracefully
heartbeat missed by replica 2
election won by node a in term 12
garbage collection took 340 ms
thread pool exhausted
rate limit reached, slowing down
checksum mismatch in block 19
snapshot 42 created
feature flag new-checkout set to 25 percent
experiment b shows no significant change
weekly summary: 12 done, 4 open, 1 blocked
build 1093 is green again
token usage this month: 71 percent
schema version 9 applied
`
