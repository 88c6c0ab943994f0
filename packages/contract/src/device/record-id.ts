/** Record ids: UUIDv5 of device, epoch and number, so that a repeated record has the same id. */

/** Namespace of record ids, the same for every installation. */
export const RECORD_NAMESPACE = '6f1c8e0e-5d0b-5c3a-9a51-2f0f6b1b7a10'
/** Return the text that is hashed; both sides must build exactly the same text. */
export const recordName = (deviceId: string, epoch: string, seq: number): string => `${deviceId}/${epoch}/${seq}`
