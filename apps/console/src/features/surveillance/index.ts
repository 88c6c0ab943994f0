/** What other features may use of this one. */
export { PlaceDevices } from './search/PlaceDevices.tsx'
