/** A liveness score as people see it: of 100, in whole numbers. @param score 0 to 1 */
export const livenessInWords = (score: number): string => String(Math.round(score * 100))
