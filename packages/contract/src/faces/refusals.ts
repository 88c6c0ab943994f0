/** All refusals of a photo, in the order in which they are checked. */
export const FACE_REFUSALS = [200205, 200206, 200208, 200204, 200218, 201219, 201220, 201221, 201222, 201223, 200219, 200201] as const
