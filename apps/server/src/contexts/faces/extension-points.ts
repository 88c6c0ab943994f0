/** Extension points of photographs, implemented by areas above them. */
import { extensionPoint, singlePoint } from '../../platform/extension-points.ts'
import type { FacesNeeds } from './service-types.ts'

/** The persons on photographs. */
export type FacePersons = Pick<FacesNeeds, 'persons' | 'countPersons' | 'lookedOutFor' | 'unseen' | 'contacts'>
export const facePersons = singlePoint<FacePersons>('faces.persons')

/** The doors that compare faces, and who may come to them. */
export type FaceDoors = Pick<FacesNeeds, 'doorsByFaceAlone' | 'doorGroups'>
export const faceDoors = singlePoint<FaceDoors>('faces.doors')

/** Devices by name. */
export const faceDevices = singlePoint<FacesNeeds['devices']>('faces.devices')

/** How faces are used at doors from day to day. */
export type FaceUse = Pick<FacesNeeds, 'facesPerDay' | 'lookedAgain'>
export const faceUse = singlePoint<FaceUse>('faces.use')

/** Persons whose photographs are drawings and therefore no measure of an engine. */
export const drawnPersons = extensionPoint<FacesNeeds['demoPersons']>('faces.drawnPersons')
