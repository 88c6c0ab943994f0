/** What is sealed of people registered at the terminal, and for whom: nothing opens in another place, or as another thing. */

export const localPersonOf = (personId: string): string => `local person ${personId}`
export const localFaceOf = (personId: string, faceId: string): string => `local face ${personId}/${faceId}`
