/** Who makes a request: a user, through one of their tokens. */
export type Actor = {
  user: { id: string; displayName: string; email?: string; photoURL?: string; isOperator: boolean };
  tokenId: string;
};
