/**
 * The enums of the specification. A value on the wire is the specification's number or word; its label is in `i18n/<lang>/enums.json`
 * (`labelKeyOf`); the colour of a state is defined beside the enum.
 */
export * from './enums/access.ts'
export * from './enums/alarms.ts'
export * from './enums/attendance.ts'
export * from './enums/common.ts'
export * from './enums/definition.ts'
export * from './enums/device-models.ts'
export * from './enums/devices.ts'
export * from './enums/epidemic.ts'
export * from './enums/identity.ts'
export * from './enums/organisation.ts'
export * from './enums/patrol.ts'
export * from './enums/people.ts'
export * from './enums/realtime.ts'
export * from './enums/visitors.ts'
