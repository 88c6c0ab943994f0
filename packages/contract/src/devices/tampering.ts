/** Time for which a device that found its data changed by others needs attention: a week. */

const WEEK = 7 * 86_400_000

/** Return whether such a finding still needs attention. @param foundAt epoch milliseconds, as the device reported it */
export const isTamperingRecent = (foundAt: number, now: number): boolean => now - foundAt < WEEK
