/** /roleDetail and /roleDetail/{id}: makes a role, from another's permissions where `?from=` names it, or changes one. */
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import { roleCalls, type Role } from '@gatehouse/contract/identity/roles'
import { organisationCalls } from '@gatehouse/contract/organisation/calls'
import { DetailPage } from '../../../kit/detail/DetailPage.tsx'
import { FormPage } from '../../../kit/form/FormPage.tsx'
import { loadedFrom } from '../../../kit/form/loaded.ts'
import { useRead, useReadOnce } from '../../../api/query.ts'
import { useSession } from '../../../api/session.ts'
import { path } from '../../../paths.ts'
import { useGrantable } from '../permissions/useGrantable.ts'
import { RoleFields } from './RoleFields.tsx'
import { RoleReading } from './RoleReading.tsx'
import { copyOfRole, newRole, roleBody, roleIssues, roleValuesOf, type RoleValues } from './roleValues.ts'
import { useRoleWords } from './useRoleWords.ts'

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
  const own = useSession(({ profile }) => profile?.roleSign)
  const copy = (one: Role): RoleValues => {
    const { name, remark } = wordsOf(one)
    const grantable = groups?.flatMap(({ permissions }) => permissions) ?? []
    return copyOfRole({ ...one, remark }, t('role.copyOf', { name }), grantable, own)
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
  return <DetailPage query={role}>{(one) => (one.editable ? <ChangeRole role={one} /> : <RoleReading role={one} />)}</DetailPage>
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
