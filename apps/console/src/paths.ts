/** Every address of the console, once. Parameters stand in braces, as in the specification. */
export const addresses = {
  root: '/',
  login: '/login',
  home: '/home',
  forbidden: '/403',
  notFound: '/404',
  refresh: '/refresh',
  staffList: '/staffList',
  staffAdd: '/staffAdd',
  staffDetails: '/staffDetails/{id}',
  deviceList: '/deviceList',
  deviceDetails: '/deviceDetails/{deviceId}',
  staffCurrent: '/staffCurrent',
  timeRule: '/timeRule',
  timeRuleDetail: '/timeRuleDetail/{id}',
  passStrategy: '/passStrategy',
  passStrategyDetail: '/passStrategyDetail',
  addPassStrategyDetail: '/addPassStrategyDetail',
  syncStatus: '/syncStatus/{id}',
  strangerRecords: '/strangerRecords',
  faceEngine: '/faceEngine',
  facePolicy: '/facePolicy',
  faceReport: '/faceReport',
  faceReportDetail: '/faceReport/{id}',
  faceLiveness: '/faceLiveness',
  faceCorrections: '/faceCorrections',
} as const
export type AddressName = keyof typeof addresses

type ParamsOf<Address extends string> = Address extends `${string}{${infer Name}}${infer Rest}` ? Name | ParamsOf<Rest> : never
type Filling<Name extends AddressName> = [ParamsOf<(typeof addresses)[Name]>] extends [never]
  ? []
  : [Record<ParamsOf<(typeof addresses)[Name]>, string>]

/** The address to navigate to: `path('staffDetails', { id })`. */
export function path<Name extends AddressName>(name: Name, ...[params]: Filling<Name>): string {
  const values: Record<string, string> = params ?? {}
  return addresses[name].replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(values[key] ?? ''))
}
