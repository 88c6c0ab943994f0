/** Those who stand, or would stand, against a written rule: by name and page, beside what they are asked from. */
import { Drawer } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Breaker, writtenRuleCalls } from '@gatehouse/contract/approvals/written-rules'
import { columnsOf } from '../../kit/list/columns.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { useMay } from '../../api/session.ts'
import { useLocalList } from '../../kit/list/useLocalList.ts'
import { path } from '../../paths.ts'
import { useRuleWords } from './useRuleWords.ts'
import styles from './writtenRules.module.css'

const WIDTH = 640

interface BreakersDrawerProps {
  open: boolean
  title: string
  call: (typeof writtenRuleCalls)['standing' | 'breachers']
  /** What is asked, without the page. */
  body: object
  close: () => void
}

export function BreakersDrawer({ open, title, call, body, close }: BreakersDrawerProps) {
  return (
    <Drawer
      open={open}
      onClose={close}
      size={WIDTH}
      title={title}
      destroyOnHidden
      styles={{ body: { paddingBottom: 0, background: 'var(--surface)' } }}
    >
      {open && <Breakers call={call} body={body} />}
    </Drawer>
  )
}

function Breakers({ call, body }: Pick<BreakersDrawerProps, 'call' | 'body'>) {
  const { t } = useTranslation('approvals')
  const words = useRuleWords()
  const mayOpen = useMay('person.list')
  const list = useLocalList(call, { name: 'ruleBreakers', fixed: body })
  const columns = columnsOf<Breaker>([
    {
      field: 'name',
      title: t('person'),
      width: 180,
      visibility: 'always',
      render: ({ contactsOnly, id, name, workNumber, parkName }) => (
        <span className={styles.two}>
          {mayOpen && parkName === null ? (
            <Link to={path('staffDetails', { id })} title={name}>
              {name}
            </Link>
          ) : (
            <span title={name}>{name}</span>
          )}
          <small>{[workNumber, parkName, contactsOnly && t('contactsOnly')].filter(Boolean).join(' · ')}</small>
        </span>
      ),
    },
    { field: 'deviceNames', title: t('doors'), width: 170, visibility: 'always', render: words.doors },
    { field: 'periods', title: t('when'), width: 220, visibility: 'always', render: words.hours },
  ])
  return <ListTable list={list} columns={columns} empty={{ title: t('standing.nobody') }} />
}
