// The health check of the service `mongo`, run by mongosh inside of its container: exit code 0 when the applications can use their database.
//
// It also makes what they need and what is missing: the replica set of one node, which transactions need, and the two users. Until the first user
// exists, MongoDB lets a caller from its own machine do just that and nothing else, and callers from elsewhere nothing at all; a volume that was
// made without users is therefore brought up to date by the first check. mongosh runs this line by line and waits for each call by itself.

const { MONGO_ROOT_PASSWORD: rootPassword, MONGO_PASSWORD: password, MONGO_MEMBER: host } = process.env;
const admin = db.getSiblingDB('admin');

/** Rights of the applications: their own database, without user administration. */
const roles = ['readWrite', 'dbAdmin'].map((role) => ({ role, db: 'bindery' }));

function signsIn(user, pwd) {
  try {
    return admin.auth({ user, pwd }).ok === 1;
  } catch {
    return false;
  }
}

function isPrimary() {
  return admin.runCommand({ hello: 1 }).isWritablePrimary === true;
}

function initiateReplicaSet() {
  try {
    admin.runCommand({ replSetInitiate: { _id: 'rs0', members: [{ _id: 0, host }] } });
  } catch (error) {
    if (error.codeName !== 'AlreadyInitialized') throw error;
  }
}

/** Whether the users are there now; false while the node is not primary yet, which the next check finds again. */
function makeUsers() {
  if (!signsIn('root', rootPassword)) {
    if (!isPrimary()) initiateReplicaSet();
    if (!isPrimary()) return false;
    // Refused where there are users: then MONGO_ROOT_PASSWORD is not the one that root was made with.
    admin.runCommand({ createUser: 'root', pwd: rootPassword, roles: ['root'] });
    if (!signsIn('root', rootPassword)) return false;
  }
  // It was there with another password, or it was not.
  const { users } = admin.runCommand({ usersInfo: 'bindery' });
  admin.runCommand({ [users.length > 0 ? 'updateUser' : 'createUser']: 'bindery', pwd: password, roles });
  return signsIn('bindery', password);
}

quit((signsIn('bindery', password) || makeUsers()) && isPrimary() ? 0 : 1);
