/** /roleDetail and /roleDetail/{id}: the form that adds a role, with the permissions of another (`?from=`), or changes one. */
import { CopyOutlined } from '@ant-design/icons'
import { Alert, Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import { roleCalls, type Role } from '@gatehouse/contract/identity/roles'
import { organisationCalls } from '@gatehouse/contract/organisation/calls'
import { codesOfModules } from '@gatehouse/contract'
import { BUILT_CODES } from '@gatehouse/contract/built'
import { roleLabel, roleSign } from '@gatehouse/contract/enums/identity'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import type { DeviceGroupNode } from '@gatehouse/contract/devices/groups'
import { DetailPage, Facts } from '../../../kit/detail/DetailPage.tsx'
import { FormPage } from '../../../kit/form/FormPage.tsx'
import { loadedFrom } from '../../../kit/form/loaded.ts'
import { useRead, useReadOnce } from '../../../api/query.ts'
import { useSession } from '../../../api/session.ts'
import { path } from '../../../paths.ts'
import { useEnumLabel } from '../../../kit/detail/EnumTag.tsx'
import { Screen } from '../../../kit/detail/Screen.tsx'
import { useGrantable } from '../permissions/permissionWords.ts'
import { groupsOf } from '../permissions/granting.ts'
import { PermissionTree } from '../permissions/PermissionTree.tsx'
import { HolderSees, RoleFields } from './RoleFields.tsx'
import { copyOfRole, newRole, roleBody, roleIssues, roleValuesOf, type RoleValues } from './roleValues.ts'
import { copyOf, useRoleWords } from './roleWords.ts'
import styles from '../identity.module.css'

export default function RolePage() {
  const { id } = useParams()
  const [search] = useSearchParams()
  const from = search.get('from')
  if (id) return <OldRole key={id} id={id} />
  return from ? <CopiedRole key={from} from={from} /> : <NewRole />
}

function useBack(): () => void {
  const navigate = useNavigate()
  return () => void navigate(path('roleManage'), { replace: true })
}

function NewRole() {
  const { t } = useTranslation('identity')
  const tree = useRead(organisationCalls.tree, {})
  return (
    <FormPage
      wide
      call={roleCalls.create}
      also={(values) => roleIssues(values as RoleValues)}
      prepare={async (body) => roleBody(body)}
      title={t('role.add')}
      initial={loadedFrom(tree, ({ id }) => newRole(id))}
      done={t('role.added')}
      draft="role.add"
      onDone={useBack()}
    >
      <RoleFields />
    </FormPage>
  )
}

function CopiedRole({ from }: { from: string }) {
  const { t } = useTranslation('identity')
  const role = useReadOnce(roleCalls.read, { params: { id: from } })
  const wordsOf = useRoleWords()
  const groups = useGrantable()
  const ownSign = useSession(({ profile }) => profile?.roleSign)
  const copy = (one: Role): RoleValues => {
    const { name, remark } = wordsOf(one)
    const grantable = groups?.flatMap(({ permissions }) => permissions) ?? []
    return copyOfRole({ ...one, remark }, t('role.copyOf', { name }), grantable, ownSign)
  }
  return (
    <FormPage
      wide
      call={roleCalls.create}
      also={(values) => roleIssues(values as RoleValues)}
      prepare={async (body) => roleBody(body)}
      title={t('role.add')}
      initial={groups ? loadedFrom(role, copy) : { status: 'loading' }}
      done={t('role.added')}
      draft={`role.from.${from}`}
      onDone={useBack()}
    >
      <RoleFields />
    </FormPage>
  )
}

function OldRole({ id }: { id: string }) {
  const role = useReadOnce(roleCalls.read, { params: { id } })
  return <DetailPage query={role}>{(one) => (one.can.change ? <ChangeRole role={one} /> : <RoleReading role={one} />)}</DetailPage>
}

function ChangeRole({ role }: { role: Role }) {
  const { t } = useTranslation('identity')
  return (
    <FormPage
      wide
      call={roleCalls.change}
      also={(values) => roleIssues(values as RoleValues)}
      prepare={async (body) => roleBody(body)}
      title={t('editOf', { name: role.name })}
      initial={{ status: 'ready', values: roleValuesOf(role) }}
      hidden={{ id: role.id, version: role.version }}
      done={t('saved')}
      draft={`role.${role.id}`}
      onDone={useBack()}
    >
      <RoleFields roleId={role.id} />
    </FormPage>
  )
}

/** A role that the user cannot change, or a ready one: its permissions, the reason, and the button that copies it. */
function RoleReading({ role }: { role: Role }) {
  const { t } = useTranslation('identity')
  const label = useEnumLabel()
  const navigate = useNavigate()
  const { name, remark } = useRoleWords()(role)
  const codes = codesOfModules(role.permissions)
  const groups = groupsOf(BUILT_CODES.filter((code) => codes.includes(code)))
  return (
    <Screen
      title={name}
      actions={
        <Button type="primary" icon={<CopyOutlined />} onClick={() => void navigate(copyOf(role.id))}>
          {t('role.copy')}
        </Button>
      }
    >
      <div className={styles.role}>
        <div className={styles.reading}>
          <Alert type="info" showIcon title={t(role.ready === null ? 'role.notYours' : 'role.readyWords')} />
          <Facts
            facts={[
              [t('role.where'), role.organisationName],
              [t('role.sign'), label(roleSign, role.roleSign)],
              [t('role.label'), label(roleLabel, role.roleLabel)],
              [t('role.doors'), <DoorsOf role={role} />],
              [t('role.users'), role.users],
              [t('remark'), remark],
            ]}
          />
          <PermissionTree groups={groups} value={codes} readOnly />
        </div>
        <HolderSees role={roleValuesOf(role)} />
      </div>
    </Screen>
  )
}

const namesOf = (nodes: readonly DeviceGroupNode[], ids: readonly string[]): string[] =>
  nodes.flatMap(({ id, name, children }) => [...(ids.includes(id) ? [name] : []), ...namesOf(children, ids)])

/** The doors of a role in words: all, or the number of device groups, with the names of those of the current park. */
function DoorsOf({ role: { deviceGroupIds } }: { role: Pick<Role, 'deviceGroupIds'> }) {
  const { t } = useTranslation('identity')
  const limited = deviceGroupIds.length > 0
  const tree = useRead(deviceCalls.groupTree, {}, { enabled: limited })
  if (!limited) return t('role.doorsOf.all')
  const names = namesOf(tree.data ?? [], deviceGroupIds)
  return (
    <>
      {t('role.onlyGroups', { count: deviceGroupIds.length })}
      {names.length > 0 && `: ${names.join(t('common:listSeparator'))}`}
    </>
  )
}
