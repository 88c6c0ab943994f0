/** What other features may use of this one. */
export { DeviceCare, DeviceCareSections } from './DeviceCare.tsx'
export { DeviceTools } from './DeviceTools.tsx'
export { useMaintenance } from './useMaintenance.tsx'
