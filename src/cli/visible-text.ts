export { cutLine, visible, visibleJson, visibleLine } from '../agent/visible-text';
