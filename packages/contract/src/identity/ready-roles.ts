/**
 * Roles of every installation: at the root, assignable at once, and copied if a park needs a different one. They cannot be changed or
 * deleted; a later version may add codes to them. Names and descriptions: `i18n/<lang>/readyRoles.json`.
 */
import { BUILT_CODES } from '../built.ts'
import type { PermissionCode } from '../permissions.ts'

export interface ReadyRole {
  /** The same in every installation; roles are listed in this order. */
  id: string
  /** A user with `other` cannot see the watch list. */
  roleSign: 'parkAdmin' | 'other'
  /** 1 admin, 2 editor. */
  roleLabel: 1 | 2
  permissions: readonly PermissionCode[]
}

const LOOKS = ['person', 'person.list', 'access', 'access.record', 'device', 'device.list'] as const satisfies readonly PermissionCode[]

/**
 * Codes that do not belong to one park: names and addresses of the installation, its services, and programs that reach every park below.
 */
const BEYOND_A_PARK: readonly string[] = ['system.domainName', 'system.api', 'development'] satisfies PermissionCode[]

export const READY_ROLES = {
  guard: {
    id: '00000000-0000-4000-8000-000000000001',
    roleSign: 'parkAdmin',
    roleLabel: 2,
    permissions: [...LOOKS, 'own:door.open'],
  },
  reception: {
    id: '00000000-0000-4000-8000-000000000002',
    roleSign: 'other',
    roleLabel: 2,
    permissions: [...LOOKS, 'own:door.open'],
  },
  personnel: {
    id: '00000000-0000-4000-8000-000000000003',
    roleSign: 'other',
    roleLabel: 2,
    permissions: ['person', 'person.list', 'person.audit', 'own:person.edit', 'own:person.export'],
  },
  doorAdministrator: {
    id: '00000000-0000-4000-8000-000000000004',
    roleSign: 'other',
    roleLabel: 2,
    permissions: [
      // A user who pairs a device sees the persons that are sent to it.
      'person',
      'person.list',
      'access',
      'access.rule',
      'access.restriction',
      'device',
      'device.list',
      'device.setting',
      'own:device.edit',
      'own:device.pair',
      'own:door.open',
    ],
  },
  auditor: {
    id: '00000000-0000-4000-8000-000000000005',
    roleSign: 'parkAdmin',
    roleLabel: 2,
    permissions: [...LOOKS, 'screen', 'system', 'system.log'],
  },
  parkAdministrator: {
    id: '00000000-0000-4000-8000-000000000006',
    roleSign: 'parkAdmin',
    roleLabel: 1,
    permissions: BUILT_CODES.filter((code) => !BEYOND_A_PARK.includes(code)),
  },
} as const satisfies Record<string, ReadyRole>

export type ReadyRoleKey = keyof typeof READY_ROLES
export const READY_ROLE_KEYS = Object.keys(READY_ROLES) as [ReadyRoleKey, ...ReadyRoleKey[]]
