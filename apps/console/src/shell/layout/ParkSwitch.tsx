/** The current park, and the list of others for users who may change to them. */
import { CheckOutlined, DownOutlined, EnvironmentOutlined } from '@ant-design/icons'
import { Pagination, Popover } from 'antd'
import Input from 'antd/es/input/Input'
import { useDeferredValue, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { create } from 'zustand'
import { PARK_LIST_PAGE_START, PARK_LIST_SIZE } from '@gatehouse/contract'
import { organisationCalls } from '@gatehouse/contract/organisation/calls'
import { Bars } from '../../kit/detail/Bars.tsx'
import { useRead } from '../../api/query.ts'
import { useMayOpen, useSession } from '../../api/session.ts'
import { switchPark } from '../session/switchPark.ts'
import { useAreaName } from '../session/useAreaName.ts'
import styles from './layout.module.css'
import own from './parks.module.css'

/** The user's menu opens the list too. */
const useParkList = create<{ open: boolean }>(() => ({ open: false }))
const setOpen = (open: boolean): void => useParkList.setState({ open })
export const openParkList = (): void => setOpen(true)

/** Roles that are bound to their park stay in it. */
export const CHANGES_PARK = { permission: null, condition: 'changePark' } as const

export function ParkSwitch() {
  const { t } = useTranslation('shell')
  const name = useAreaName()
  const { open } = useParkList()
  const label = (
    <>
      <EnvironmentOutlined />
      <span className={own.parkName}>{name}</span>
    </>
  )
  if (!useMayOpen(CHANGES_PARK))
    return (
      <span className={styles.tool} title={name}>
        {label}
      </span>
    )
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      trigger="click"
      placement="bottomRight"
      arrow={false}
      content={<ParkList />}
      destroyOnHidden
    >
      <button type="button" className={styles.tool} title={name} aria-label={t('changePark', { park: name })} aria-expanded={open}>
        {label}
        <DownOutlined className={own.caret} />
      </button>
    </Popover>
  )
}

function ParkList() {
  const { t } = useTranslation('shell')
  const [typed, setTyped] = useState('')
  const [page, setPage] = useState(PARK_LIST_PAGE_START)
  const search = useDeferredValue(typed.trim())
  const areaCode = useSession(({ park }) => park?.areaCode)
  const parks = useRead(organisationCalls.parkList, { query: { page, size: PARK_LIST_SIZE, name: search || undefined } })
  const find = (words: string): void => {
    setTyped(words)
    setPage(PARK_LIST_PAGE_START)
  }
  return (
    <div className={own.parks} role="presentation" onKeyDown={(event) => event.key === 'Escape' && setOpen(false)}>
      <Input
        autoFocus
        allowClear
        value={typed}
        onChange={(event) => find(event.target.value)}
        placeholder={t('searchPark')}
        aria-label={t('searchPark')}
      />
      {parks.isPending && <Bars count={4} />}
      {parks.data?.content.length === 0 && <p className={own.none}>{t('noPark')}</p>}
      {parks.isError && <p className={own.none}>{t('parksNotLoaded')}</p>}
      <ul>
        {parks.data?.content.map((park) => (
          <li key={park.id}>
            <button
              type="button"
              aria-current={park.areaCode === areaCode}
              onClick={() => {
                setOpen(false)
                if (park.areaCode !== areaCode) void switchPark(park)
              }}
            >
              <span>
                <b>{park.parkName}</b>
                <small>
                  {park.roleName} · {park.areaCode}
                </small>
              </span>
              {park.areaCode === areaCode && <CheckOutlined />}
            </button>
          </li>
        ))}
      </ul>
      <Pagination
        simple
        size="small"
        hideOnSinglePage
        pageSize={PARK_LIST_SIZE}
        total={parks.data?.total ?? 0}
        current={page - PARK_LIST_PAGE_START + 1}
        onChange={(chosen) => setPage(chosen - 1 + PARK_LIST_PAGE_START)}
      />
    </div>
  )
}
