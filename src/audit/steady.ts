/** A target without what programs make up anew each time: `memory.jsonl.cc487f61.tmp` and `memory.jsonl.1f07ab22.tmp` are one. */
export const steady = (target: string): string => target.replace(/[0-9a-f]{8,}|\d{5,}|(?<=[./_-])(?=\w*\d)(?=\w*[A-Za-z])\w{6,}/gi, '#')
