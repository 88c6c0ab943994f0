/** Kinds of certificates, as the contract names them, which a page cannot import whole. */
import type { MachineEvent } from '@gatehouse/contract/device/visitor-machine'

type IdType = NonNullable<MachineEvent['certificateInfo']>['type']

export const ID_TYPES: readonly [IdType, ...IdType[]] = ['idCard', 'passport', 'residencePermit', 'driverLicence', 'other']
