/** The organisation tree beside a list: choosing a node shows what belongs to it and to all below. */
import { useTranslation } from 'react-i18next'
import { organisationCalls, type OrganisationNode } from '@gatehouse/contract/organisation/calls'
import { Branches, type Branch } from '../../kit/detail/Branches.tsx'
import { Bars } from '../../kit/detail/Bars.tsx'
import { useRead } from '../../api/query.ts'
import styles from './identity.module.css'

interface OrganisationFilterProps {
  value: string | undefined
  onChange: (id: string | undefined) => void
}
const branchOf = ({ id, name, children }: OrganisationNode): Branch => ({ key: id, name, children: children.map(branchOf) })

export function OrganisationFilter({ value, onChange }: OrganisationFilterProps) {
  const { t } = useTranslation('identity')
  const { data: root, isPending } = useRead(organisationCalls.tree, {})
  return (
    <div className={styles.tree}>
      <h2>{t('organisation')}</h2>
      {isPending && <Bars count={4} />}
      {root && (
        <Branches
          label={t('organisation')}
          branches={[branchOf(root)]}
          chosen={value ?? root.id}
          choose={(id) => onChange(id === root.id ? undefined : id)}
        />
      )}
    </div>
  )
}
