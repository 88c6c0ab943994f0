/** Takes over the permissions of another role, as far as one may grant them. */
import { Select } from 'antd'
import { useTranslation } from 'react-i18next'
import { codesOfModules, PAGE_SIZE_MAX } from '@gatehouse/contract'
import { roleCalls } from '@gatehouse/contract/identity/roles'
import { toast } from '../../../kit/feedback.tsx'
import { useRead } from '../../../api/query.ts'
import { useRoleWords } from './useRoleWords.ts'

interface CopyRoleProps {
  grantable: string[]
  take: (codes: string[]) => void
  /** The role being changed: not to be copied from itself. */
  except?: string | undefined
}

export function CopyRole({ grantable, take, except }: CopyRoleProps) {
  const { t } = useTranslation('identity')
  const roles = useRead(roleCalls.list, { query: { size: PAGE_SIZE_MAX } })
  const wordsOf = useRoleWords()
  const others = (roles.data?.content ?? []).filter(({ id }) => id !== except)
  const copy = (id: string): void => {
    const role = others.find((one) => one.id === id)
    if (!role) return
    const theirs: string[] = codesOfModules(role.permissions)
    const codes = grantable.filter((code) => theirs.includes(code))
    take(codes)
    toast('info', t('role.copied', { name: wordsOf(role).name, count: codes.length }))
  }
  return (
    <Select
      value={null}
      onChange={(id: string | null) => id !== null && copy(id)}
      loading={roles.isPending}
      options={others.map((role) => ({ value: role.id, label: `${wordsOf(role).name} · ${codesOfModules(role.permissions).length}` }))}
      showSearch={{ optionFilterProp: 'label' }}
      placeholder={t('role.copyFrom')}
      aria-label={t('role.copyFrom')}
      popupMatchSelectWidth={false}
      style={{ width: 168 }}
    />
  )
}
