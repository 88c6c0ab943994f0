/** What each seal of the people registered at the terminal is bound to: sealed data do not open in another place, or as another kind. */

export const localPersonOf = (personId: string): string => `local person ${personId}`
export const localFaceOf = (personId: string, faceId: string): string => `local face ${personId}/${faceId}`
