/** How long a device that found its data changed by others needs attention. */

const WEEK = 7 * 86_400_000

/** @param foundAt epoch milliseconds, as the device told it */
export const isTamperingRecent = (foundAt: number, now: number): boolean => now - foundAt < WEEK
