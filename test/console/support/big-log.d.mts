export interface BigLog { readonly events: number, readonly rows: number }
/** One event in ten is called, one call in two has an effect. @param end time of the last event @param stepMs between two events */
export function writeBigLog(file: string, events: number, end: number, stepMs: number): BigLog
