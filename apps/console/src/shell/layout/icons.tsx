/**
 * Icons of the menu groups. They are hidden from those who hear the page: the group is named beside them, and an icon
 * would add its own name.
 */
import {
  AlertOutlined,
  AppstoreOutlined,
  BankOutlined,
  CalendarOutlined,
  CarOutlined,
  CompassOutlined,
  DesktopOutlined,
  EyeOutlined,
  HistoryOutlined,
  HomeOutlined,
  KeyOutlined,
  MedicineBoxOutlined,
  RadarChartOutlined,
  SettingOutlined,
  SolutionOutlined,
  TeamOutlined,
  ToolOutlined,
  UsergroupAddOutlined,
  VideoCameraOutlined,
} from '@ant-design/icons'
import type { ReactNode } from 'react'
import type { MenuSection } from './menu.ts'

export const groupIcons: Record<MenuSection['group'], ReactNode> = {
  top: <HomeOutlined aria-hidden />,
  record: <HistoryOutlined aria-hidden />,
  epidemic: <MedicineBoxOutlined aria-hidden />,
  alert: <AlertOutlined aria-hidden />,
  person: <TeamOutlined aria-hidden />,
  device: <DesktopOutlined aria-hidden />,
  access: <KeyOutlined aria-hidden />,
  visitor: <SolutionOutlined aria-hidden />,
  patrol: <CompassOutlined aria-hidden />,
  video: <VideoCameraOutlined aria-hidden />,
  parking: <CarOutlined aria-hidden />,
  thirdParty: <EyeOutlined aria-hidden />,
  attendance: <CalendarOutlined aria-hidden />,
  meeting: <UsergroupAddOutlined aria-hidden />,
  microApp: <AppstoreOutlined aria-hidden />,
  surveillance: <RadarChartOutlined aria-hidden />,
  park: <BankOutlined aria-hidden />,
  system: <SettingOutlined aria-hidden />,
  operations: <ToolOutlined aria-hidden />,
}
