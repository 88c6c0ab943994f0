/** What may be done with the log of a device, besides what a call's permission says. */
import { exportStatus } from '@gatehouse/contract/enums'
import type { DeviceLog } from '@gatehouse/contract/maintenance/calls'

/**
 * Return what may be done with a log in its present state.
 * @param isAsked whether a log of the device is pending: only one at a time is
 */
export const logAbilities = ({ status, fileId }: { status: number; fileId: string | null }, isAsked: boolean): DeviceLog['can'] => ({
  download: fileId !== null,
  retry: status === exportStatus.failed && !isAsked,
})
