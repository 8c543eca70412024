import pytest

from argwright.proxy.sockets import listening, url_of


def port_of(sock):
    return sock.getsockname()[1]


def test_addresses():
    with listening("127.0.0.1", 0) as one, listening("0.0.0.0", 0) as every, listening("localhost", 0) as named:
        port = one.getsockname()[1]
        assert url_of(one) == f"http://127.0.0.1:{port}"
        assert url_of(every).startswith("http://127.0.0.1:")
        assert url_of(named).startswith("http://")


def test_several_may_share_a_port():
    with listening("127.0.0.1", 0, shared=True) as one, listening("127.0.0.1", port_of(one), shared=True) as other:
        assert port_of(other) == port_of(one)
        one.listen()
        with pytest.raises(OSError, match="in use"):
            listening("127.0.0.1", port_of(one)).close()


def test_an_address_of_another_machine():
    with pytest.raises(OSError, match=r"."):
        listening("192.0.2.1", 0).close()
