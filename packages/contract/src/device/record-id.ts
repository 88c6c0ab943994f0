/** Record ids: UUIDv5 of device, epoch and number, so that a repeat collides with itself. */

/** The installation-independent name space of record ids. */
export const RECORD_NAMESPACE = '6f1c8e0e-5d0b-5c3a-9a51-2f0f6b1b7a10'
/** Text that is hashed; both sides must agree on it to the letter. */
export const recordName = (deviceId: string, epoch: string, seq: number): string => `${deviceId}/${epoch}/${seq}`
