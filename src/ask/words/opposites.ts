/** Verbs that undo each other, whatever they are given. */

const PAIRS = `
open close; open shut; lock unlock; start stop; start end; begin end; begin stop; launch quit; run stop; play stop; play pause; pause resume; enable disable; activate deactivate;
arm disarm; mute unmute; raise lower; lift lower; increase decrease; increase reduce; raise reduce; add remove; add delete; create delete; make delete; block unblock; pin unpin;
freeze unfreeze; freeze thaw; subscribe unsubscribe; follow unfollow; archive unarchive; archive restore; delete restore; delete keep; publish unpublish; load unload; show hide;
connect disconnect; mount unmount; zip unzip; install uninstall; ban unban; dim brighten; fill empty; fill drain; inflate deflate; heat cool; warm cool; accept decline; accept reject;
approve reject; approve decline; buy sell; lend borrow; push pull; hoist lower; share unshare; hide unhide; tag untag; plug unplug; lock release; wrap unwrap; fasten unfasten;
invite uninvite; assign unassign; star unstar; flag unflag; check uncheck; tick untick; select deselect; link unlink; send unsend; fold unfold; roll unroll; cover uncover;
tighten loosen; wake silence; give take; book cancel; order cancel; schedule cancel; confirm cancel; renew cancel; join leave; enter leave; win lose; save discard; bolt unbolt;
weigh drop; deploy revert; extend shorten; grow shrink; enlarge shrink; expand collapse; maximise minimise; maximize minimize; attach detach; dock undock; seal unseal; board leave
`

/** Verb -> the verbs that do the opposite. */
export const OPPOSITES: ReadonlyMap<string, ReadonlySet<string>> = (() => {
  const table = new Map<string, Set<string>>()
  const add = (one: string, other: string): void => { table.set(one, (table.get(one) ?? new Set()).add(other)) }
  for (const pair of PAIRS.split(';')) {
    const [one = '', other = ''] = pair.trim().split(/\s+/)
    add(one, other)
    add(other, one)
  }
  return table
})()
