/** The roles of an account, chosen among those that may be granted at its node of the tree. */
import { Select } from 'antd'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { roleSign } from '@gatehouse/contract/enums/identity'
import { roleCalls } from '@gatehouse/contract/identity/roles'
import { useEnumLabel } from '../../../kit/detail/EnumTag.tsx'
import { useRead } from '../../../api/query.ts'
import styles from '../identity.module.css'
import { useRoleWords } from '../roles/roleWords.ts'

interface RolesFieldProps {
  /** Given by `<Form.Item>`. */
  id?: string
  value?: string[]
  onChange?: (ids: string[]) => void
  /** Node of the tree the account is to belong to. */
  organisationId: string | undefined
  /** Roles of the account, for the names of those that are not offered. */
  currentRoles?: { id: string; name: string }[] | undefined
}

export function RolesField({ id, value = [], onChange, organisationId, currentRoles = [] }: RolesFieldProps) {
  const { t } = useTranslation('identity')
  const label = useEnumLabel()
  const wordsOf = useRoleWords()
  const roles = useRead(roleCalls.subRoles, { query: { organisationId } }, { enabled: organisationId !== undefined })
  const [names, setNames] = useState<ReadonlyMap<string, string>>(() => new Map(currentRoles.map((role) => [role.id, role.name])))
  const [dropped, setDropped] = useState<string[]>([])

  const offered = roles.data
  useEffect(() => {
    if (!offered) return
    const unfit = value.filter((one) => !offered.some((role) => role.id === one))
    setNames((before) => new Map([...before, ...offered.map((role) => [role.id, wordsOf(role).name] as const)]))
    if (unfit.length === 0) return
    setDropped(unfit.map((one) => names.get(one) ?? one))
    onChange?.(value.filter((one) => !unfit.includes(one)))
    // Runs only when another node offers other roles.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [offered])

  return (
    <>
      <Select
        {...(id && { id })}
        mode="multiple"
        value={value}
        onChange={(chosen: string[]) => {
          setDropped([])
          onChange?.(chosen)
        }}
        loading={roles.isFetching}
        placeholder={t('user.chooseRoles')}
        notFoundContent={roles.isPending ? undefined : t('user.noRolesHere')}
        options={(offered ?? []).map((role) => {
          const { name, remark } = wordsOf(role)
          return { value: role.id, label: name, words: role.ready === null ? '' : remark, sign: role.roleSign }
        })}
        optionRender={({ data }) => (
          <span className={styles.roleOption}>
            <span className={styles.option}>
              {data.label}
              <small>{label(roleSign, data.sign)}</small>
            </span>
            {data.words && <small>{data.words}</small>}
          </span>
        )}
        showSearch={{ optionFilterProp: 'label' }}
        // Higher than the default, since ready roles have a second line with their purpose.
        listHeight={400}
        style={{ width: '100%' }}
      />
      {dropped.length > 0 && (
        <p className={styles.dropped} role="status">
          {t('user.rolesDropped', { names: dropped.join(t('common:listSeparator')) })}
        </p>
      )}
    </>
  )
}
