export { ByteWindow } from './byteWindow.ts';
export { GitHttp, loginOf, type GitLogin } from './gitHttp.ts';
export { listRemote, mayPush, type RemoteBranch, type RemoteRefs, type RemoteTag } from './listRemote.ts';
export { megabytes, type RemoteLimits } from './limits.ts';
export {
  delimiterLine,
  endedEarly,
  flushLine,
  notGit,
  packetText,
  pktLine,
  readPacket,
  refusedByServer,
} from './pktLine.ts';
export { findPushTarget, findRef, findRefIfAny, type RemoteRef } from './refs.ts';
