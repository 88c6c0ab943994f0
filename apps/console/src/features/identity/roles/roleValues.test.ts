import { expect, test } from 'vitest'
import { permissionsByModule } from '@gatehouse/contract'
import { READY_ROLES } from '@gatehouse/contract/identity/ready-roles'
import type { Role } from '@gatehouse/contract/identity/roles'
import { copyOfRole, roleBody, roleIssues, roleValuesOf } from './roleValues.ts'

const role: Role = {
  id: READY_ROLES.guard.id,
  name: 'Guard',
  ready: 'guard',
  permissions: permissionsByModule(READY_ROLES.guard.permissions),
  roleLabel: 2,
  roleSign: 'parkAdmin',
  organisationId: 'park',
  organisationName: 'Park',
  deviceGroupIds: [],
  remark: 'Opens doors',
  users: 3,
  can: { change: false, delete: false },
  editable: false,
  version: 1,
  createdAt: 0,
}

test('a role for some doors names their groups, and one for all of them names none', () => {
  const limited = roleValuesOf({ ...role, deviceGroupIds: ['gate'] })
  expect(limited).toMatchObject({ doors: 'chosen', deviceGroupIds: ['gate'] })
  expect(roleBody(limited)).toMatchObject({ deviceGroupIds: ['gate'] })
  expect(roleBody({ ...limited, doors: 'all' })).toEqual({ ...roleBody(roleValuesOf(role)), deviceGroupIds: [] })
  expect(roleIssues({ ...limited, deviceGroupIds: [] })).toEqual([{ path: 'deviceGroupIds', rule: 'required' }])
})

test('what concerns all doors is refused with some of them, before it is sent', () => {
  const limited = roleValuesOf({ ...role, deviceGroupIds: ['gate'] })
  expect(roleIssues(limited)).toEqual([])
  expect(roleIssues({ ...limited, permissions: ['access.rule'] })).toEqual([{ path: 'permissions', rule: 'beyondDeviceGroups' }])
  expect(roleIssues({ ...limited, roleSign: 'operator' })).toEqual([{ path: 'roleSign', rule: 'signBeyondDeviceGroups' }])
  expect(roleIssues({ ...limited, doors: 'all', permissions: ['access.rule'], roleSign: 'operator' })).toEqual([])
})

test('a copy takes everything over that may be granted', () => {
  expect(copyOfRole(role, 'Guard (copy)', READY_ROLES.guard.permissions, 'admin')).toEqual({ ...roleValuesOf(role), name: 'Guard (copy)' })
  const less = copyOfRole(role, 'x'.repeat(70), ['person', 'person.list'], 'other')
  expect(less).toMatchObject({ permissions: ['person', 'person.list'], roleSign: 'other', name: 'x'.repeat(64) })
})
